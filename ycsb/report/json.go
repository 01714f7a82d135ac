package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// JSON writes results in full, histograms and intervals included, as one JSON document: an
// object for one result, an array of objects for none or several. [ReadJSON] reads it. The
// members are those of [ycsb.Result]; the member version tells when they change their meaning.
func JSON(w io.Writer, results ...*ycsb.Result) error {
	if err := check(results); err != nil {
		return err
	}
	var doc any = results
	switch len(results) {
	case 0:
		doc = []*ycsb.Result{}
	case 1:
		doc = results[0]
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return write(w, b.Bytes())
}

// ReadJSON reads what [JSON] wrote: one document, of one result or of an array of them. It
// reads r to its end. An error tells what is wrong, such as a version that this package does
// not know.
func ReadJSON(r io.Reader) ([]*ycsb.Result, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	var results []*ycsb.Result
	if bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("[")) {
		err = json.Unmarshal(data, &results)
	} else {
		results = []*ycsb.Result{new(ycsb.Result)}
		err = json.Unmarshal(data, results[0])
	}
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	if err := check(results); err != nil {
		return nil, err
	}
	return results, nil
}
