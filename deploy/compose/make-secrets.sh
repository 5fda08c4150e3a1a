#!/bin/sh
# Makes the secrets of compose.yaml in ./secrets, once: the password of PostgreSQL, the address of the database with it, and
# the key of webhook secrets. Back the folder up with your other secrets.
set -eu
cd "$(dirname "$0")"
if [ -e secrets ]; then
	echo 'there are secrets already' >&2
	exit 1
fi
# Other users of this machine cannot enter the folder; the containers read the files as users of their own.
mkdir -m 700 secrets
password=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')
printf '%s\n' "$password" >secrets/postgres-password
printf 'postgres://confab:%s@postgres:5432/confab\n' "$password" >secrets/database-url
od -An -N32 -tx1 /dev/urandom | tr -d ' \n' >secrets/secrets-key
chmod 644 secrets/*
