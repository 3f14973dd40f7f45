package servicestore

import (
	"guiche/internal/sqlite"
	"guiche/internal/store/blobnames"
)

// blobColumns are all columns of service.db that name blobs.
var blobColumns = []blobnames.Column{
	{Table: "request_blob", Name: "ref"},
	{Table: "act_blob", Name: "ref"},
	{Table: "decision", Name: "answer"},
	{Table: "act_result", Name: "answer"},
	{Table: "authorization_entry", Name: "guide"},
	{Table: "authorization_revision", Name: "guide"},
}

// BlobNames returns the names of blobs in service.db.
func BlobNames(db *sqlite.DB) *blobnames.Names { return blobnames.New(db, blobColumns...) }
