#!/bin/sh
# Backs PostgreSQL and the uploads up, as docs/backups.md#postgresql says. `confab backup` is for SQLite.
#
#   backup.sh          now, and every BACKUP_EVERY seconds
#   backup.sh once     now
#   backup.sh check    fails where the newest backup is older than two intervals
#
# BACKUP_TO gets a file NAME.dump for each backup, of which the newest BACKUP_KEEP stay, and the folder blobs, from which
# nothing is removed: an upload never changes, and an older backup may need one that is gone. The variables of libpq say
# where the database is, and PASSWORD_FILE has its password.
set -eu
umask 077

back_up() {
	PGPASSWORD=$(cat "$PASSWORD_FILE")
	export PGPASSWORD
	mkdir -p "$BACKUP_TO/blobs"
	name=$(date -u +%Y-%m-%dT%H-%M-%SZ)
	# Before the dump, because an upload that is deleted during a long one is in it; after it, for what was added.
	copy_uploads
	pg_dump --format=custom --file="$BACKUP_TO/$name.part"
	# A dump that was cut off has no list.
	pg_restore --list "$BACKUP_TO/$name.part" >/dev/null
	copy_uploads
	mv "$BACKUP_TO/$name.part" "$BACKUP_TO/$name.dump"
	remove_old
	echo "$name.dump is complete"
}

# Each upload once. A copy that was interrupted keeps a name that no upload has.
copy_uploads() {
	[ -d "$BACKUP_FROM/blobs" ] || return 0
	# Uploads are in folders whose names have two characters; beside them are unfinished ones.
	for shelf in "$BACKUP_FROM"/blobs/??/; do
		[ -d "$shelf" ] || continue
		kept=$BACKUP_TO/blobs/$(basename "$shelf")
		mkdir -p "$kept"
		for file in "$shelf"*; do
			copy=$kept/$(basename "$file")
			# An upload may be deleted meanwhile.
			if [ -e "$copy" ] || ! [ -e "$file" ]; then continue; fi
			if cp "$file" "$copy.part"; then
				mv "$copy.part" "$copy"
			elif [ -e "$file" ]; then
				return 1
			fi
		done
	done
}

# Names sort by time.
remove_old() {
	rm -f "$BACKUP_TO"/*.part
	find "$BACKUP_TO" -maxdepth 1 -name '*.dump' | sort -r | tail -n "+$((BACKUP_KEEP + 1))" | while read -r old; do
		rm -f "$old"
	done
}

case ${1-} in
once) back_up ;;
check)
	minutes=$((BACKUP_EVERY / 30 + 1))
	[ -n "$(find "$BACKUP_TO" -maxdepth 1 -name '*.dump' -mmin "-$minutes")" ]
	;;
'')
	# A shell of its own, because a failure within an `if` would not end a function.
	while :; do
		sh "$0" once || echo 'the backup failed' >&2
		sleep "$BACKUP_EVERY"
	done
	;;
*)
	echo 'backup.sh [once | check]' >&2
	exit 2
	;;
esac
