CREATE TABLE second_of_app (id INT PRIMARY KEY);
