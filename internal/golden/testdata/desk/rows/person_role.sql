INSERT INTO person_role (person_id, role) VALUES
(1, 'administracao'),
(2, 'recepcao'),
(3, 'recepcao'),
(4, 'recepcao'),
(4, 'supervisao'),
(5, 'administracao'),
(5, 'recepcao'),
(5, 'supervisao'),
(6, 'recepcao'),
(7, 'supervisao'),
(8, 'recepcao'),
(9, 'recepcao'),
(10, 'supervisao');
