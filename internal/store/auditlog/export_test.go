package auditlog

// ListQuery is the statement of List.
var ListQuery = listQuery
