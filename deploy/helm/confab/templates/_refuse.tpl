{{- /* Refuses values that are valid one by one, and cannot work together. */ -}}
{{- define "confab.refuse" -}}
{{- $postgres := include "confab.postgres" . -}}
{{- $bucket := hasKey .Values.settings "s3-bucket" -}}
{{- $backups := get .Values.settings "backup-to" | toString -}}
{{- $replicas := int .Values.replicas -}}
{{- if not .Values.image.repository -}}
{{- fail "image.repository is empty: name the image, which a release publishes as ghcr.io/OWNER/REPOSITORY" -}}
{{- end -}}
{{- if and (gt $replicas 1) (not $postgres) -}}
{{- fail (printf "replicas is %d, and SQLite has one node: set secrets.database-url for PostgreSQL, or replicas to 1" $replicas) -}}
{{- end -}}
{{- if and (gt $replicas 1) (not $bucket) (ne .Values.persistence.accessMode "ReadWriteMany") -}}
{{- fail (printf "replicas is %d, and the nodes have no place in common for uploads: set settings.s3-bucket, or persistence.accessMode to ReadWriteMany" $replicas) -}}
{{- end -}}
{{- if and $postgres $bucket (not (hasKey .Values.secrets "secrets-key")) -}}
{{- fail "secrets.secrets-key is missing: without a volume nothing keeps the key of webhook secrets" -}}
{{- end -}}
{{- if and $postgres (hasKey .Values.settings "backup-to") -}}
{{- fail "settings.backup-to is for SQLite: back PostgreSQL up with its own tools (docs/backups.md)" -}}
{{- end -}}
{{- if and (hasKey .Values.settings "backup-to") (not (hasPrefix "s3://" $backups)) (not (hasPrefix "/data/" $backups)) -}}
{{- fail (printf "settings.backup-to is %s, where a pod cannot write: use s3://BUCKET/PREFIX, or a folder below /data" $backups) -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) -}}
{{- fail "ingress.host is empty: set the name at which clients reach Confab" -}}
{{- end -}}
{{- if .Values.serviceMonitor.enabled -}}
{{- if not (and .Values.serviceMonitor.apiKey.name .Values.serviceMonitor.apiKey.key) -}}
{{- fail "serviceMonitor.apiKey is missing: /metrics asks for an API key with the scope read" -}}
{{- end -}}
{{- if and (hasKey .Values.settings "metrics") (ne (get .Values.settings "metrics" | toString) "key") -}}
{{- fail "settings.metrics takes /metrics away from the port that the ServiceMonitor reads: leave it out" -}}
{{- end -}}
{{- end -}}
{{- end -}}
