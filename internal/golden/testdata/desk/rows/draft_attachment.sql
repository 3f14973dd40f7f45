INSERT INTO draft_attachment (id, uid, draft_id, name, content_type, size, blob) VALUES
(1, X'01A20123DC27732E8EB0CC78C751B9A9', 24, 'rascunho.pdf', 'application/pdf', 453, 'd56b39d85ef51b91515ccb6279388eb234ece991d53ced0cbcd5ee61773f6956'),
(2, X'01A20123DC2E7436A161B82548035D8D', 24, 'rascunho.png', 'image/png', 96, '253273a3ad67e2e2ee12d4a2a07157cdeb6567543e7f27581dc67c809a62af44'),
(3, X'01A20123DC397B388BD437D9EF95BC3B', 25, 'recusado.pdf', 'application/pdf', 453, '858ca27df5aa8411df2c75b32065d31d6c159b9744e3b4fcf0b7f539184e475d'),
(4, X'01A201248B99742DBB6D94FCA6712526', 49, 'retirado.pdf', 'application/pdf', 453, 'e7a5438c8d771699505de949806a8755b1912f7dc917082a0bfb2abd2059418d');
