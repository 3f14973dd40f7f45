package servicestore

import (
	"guiche/internal/store/blobnames"
	"guiche/internal/store/engine"
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
func BlobNames(db engine.DB) *blobnames.Names { return blobnames.New(db, blobColumns...) }
