"""`nsysql stats` and `nsysql analyze`: the views of queries/nsys, printed as NVIDIA's tools print their reports and rules."""
