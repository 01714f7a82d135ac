module github.com/ycsbkit/ycsbkit/drivers/mysql

go 1.25.0

require (
	github.com/go-sql-driver/mysql v1.10.0
	github.com/ycsbkit/ycsbkit v0.1.0
)

require (
	filippo.io/edwards25519 v1.2.0 // indirect
	github.com/HdrHistogram/hdrhistogram-go v1.4.0 // indirect
	github.com/magiconair/properties v1.18.13 // indirect
)
