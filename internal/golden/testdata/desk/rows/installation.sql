INSERT INTO installation (id, number, counter) VALUES
(1, 124, 45);
