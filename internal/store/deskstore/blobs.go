package deskstore

import (
	"guiche/internal/store/blobnames"
	"guiche/internal/store/engine"
)

// blobColumns are all columns of guiche.db that name blobs.
var blobColumns = []blobnames.Column{
	{Table: "draft_attachment", Name: "blob", Passing: true},
	{Table: "submission_attachment", Name: "blob"},
	{Table: "exchange", Name: "body"},
	{Table: "answer", Name: "guide_pdf"},
	{Table: "answer", Name: "receipt_pdf"},
	{Table: "authorization", Name: "guide_pdf"},
}

// BlobNames returns the names of blobs in guiche.db.
func BlobNames(db engine.DB) *blobnames.Names { return blobnames.New(db, blobColumns...) }
