module github.com/ycsbkit/ycsbkit

go 1.25.0

require (
	github.com/HdrHistogram/hdrhistogram-go v1.4.0
	github.com/magiconair/properties v1.18.13
)
