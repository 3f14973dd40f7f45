INSERT INTO submission_attachment (id, uid, submission_id, position, name, content_type, size, blob) VALUES
(1, X'01A20136C7907E42BB6B50ADB6187BCF', 1, 0, 'pedido médico.pdf', 'application/pdf', 459, '3cc420b67f917e56ac4be0b7e56009446564422eeb0fdeace3d311828305d955'),
(2, X'01A20136C79C77C4B236540425C271EA', 1, 1, 'carteira.png', 'image/png', 96, '1f802e0f1015c391e1d29ef0237e5e7d8431fab093be308b62601c049191f2d2'),
(3, X'01A20136C7A771E1911881DE74B9C311', 1, 2, 'laudo anterior.jpg', 'image/jpeg', 560, 'f778a6dad01c70be0f326b7c46a20f088a34727892461f3b19deeb9b23440a93'),
(4, X'01A20136CBAC7BCF98DB90EF1389B178', 20, 0, 'recusado.pdf', 'application/pdf', 453, '858ca27df5aa8411df2c75b32065d31d6c159b9744e3b4fcf0b7f539184e475d'),
(5, X'01A20136CBF2754AAD6F7D0675897B0A', 21, 0, 'recusado.pdf', 'application/pdf', 453, '858ca27df5aa8411df2c75b32065d31d6c159b9744e3b4fcf0b7f539184e475d'),
(6, X'01A20136CC237411A6E30031AB7E3523', 22, 0, 'pedido médico.pdf', 'application/pdf', 459, '3cc420b67f917e56ac4be0b7e56009446564422eeb0fdeace3d311828305d955'),
(7, X'01A20136CC2374128C9A1B592C3801C9', 22, 1, 'carteira.png', 'image/png', 96, '1f802e0f1015c391e1d29ef0237e5e7d8431fab093be308b62601c049191f2d2'),
(8, X'01A20136CC237414B9819071A53028C8', 22, 2, 'laudo anterior.jpg', 'image/jpeg', 560, 'f778a6dad01c70be0f326b7c46a20f088a34727892461f3b19deeb9b23440a93'),
(9, X'01A2013766247C41B095158FDC759620', 43, 0, 'retirado.pdf', 'application/pdf', 453, 'e7a5438c8d771699505de949806a8755b1912f7dc917082a0bfb2abd2059418d');
