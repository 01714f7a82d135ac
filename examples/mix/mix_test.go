package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), &out, "mix.properties"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"4000 operations", "0 failed", "LOOK", "BASKET", "BUY"} {
		if text := out.String(); !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestFaults(t *testing.T) {
	file := filepath.Join(t.TempDir(), "shop.properties")
	text := "shop.products=0\nshop.look=many\nshop.shoes=1\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err := run(t.Context(), &out, file)
	for _, want := range []string{":1: shop.products", ":2: shop.look", ":3: shop.shoes"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v; want one with %q", err, want)
		}
	}
}
