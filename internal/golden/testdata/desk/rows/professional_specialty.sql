INSERT INTO professional_specialty (professional_id, specialty, name, cbo) VALUES
(1, 2, 'Patologia clínica', '225335'),
(2, 3, 'Cardiologia', '225120'),
(2, 4, 'Clínica médica', '225125'),
(3, 5, 'Fisioterapia', '223605'),
(3, 6, 'Reabilitação', ''),
(4, 9, 'Enfermagem', ''),
(5, 11, 'Pediatria', '225124'),
(6, 41, 'Ultrassonografia', ''),
(7, 42, 'Radiologia', '');
