module example.com/confab/clients/go

go 1.19
