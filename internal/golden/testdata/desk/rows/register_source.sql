INSERT INTO register_source (id, service) VALUES
(1, 'http://127.0.0.1:18419');
