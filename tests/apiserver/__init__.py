"""A real kube-apiserver for tests: etcd, API server and kubectl, built from their published Go modules."""
