module example.com/webhooks-go

go 1.19
