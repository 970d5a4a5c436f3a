CREATE TABLE first_of_app (id INT PRIMARY KEY);
