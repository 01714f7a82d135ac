module github.com/ycsbkit/ycsbkit/examples

go 1.25.0

require (
	github.com/ycsbkit/ycsbkit v0.1.0
	github.com/ycsbkit/ycsbkit/ycsb/cli v0.1.0
)

require (
	github.com/HdrHistogram/hdrhistogram-go v1.4.0 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/magiconair/properties v1.18.13 // indirect
	github.com/spf13/cobra v1.10.2 // indirect
	github.com/spf13/pflag v1.0.9 // indirect
	golang.org/x/sys v0.37.0 // indirect
	golang.org/x/term v0.36.0 // indirect
)
