INSERT INTO specialty (professional_id, number, name, cbo, disabled) VALUES
(1, 1, 'Radiologia e diagnóstico por imagem', '225320', 1),
(1, 2, 'Patologia clínica', '225335', 0),
(2, 3, 'Cardiologia', '225120', 0),
(2, 4, 'Clínica médica', '225125', 0),
(3, 5, 'Fisioterapia', '223605', 0),
(3, 6, 'Reabilitação', '', 0),
(4, 9, 'Enfermagem', '', 0),
(5, 11, 'Pediatria', '225124', 0),
(6, 21, 'Dermatologia', '', 0),
(6, 22, 'Alergia', '', 1),
(7, 41, 'Ultrassonografia', '', 0),
(8, 42, 'Radiologia', '', 0);
