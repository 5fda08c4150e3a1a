{{- define "confab.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "confab.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "confab.labels" -}}
{{ include "confab.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "confab.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "confab.name" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end -}}

{{- /* Not empty with PostgreSQL. */ -}}
{{- define "confab.postgres" -}}
{{- if hasKey .Values.secrets "database-url" }}yes{{ end -}}
{{- end -}}

{{- /* Not empty where the data folder has something to keep. */ -}}
{{- define "confab.keepsData" -}}
{{- if not (and (include "confab.postgres" .) (hasKey .Values.settings "s3-bucket")) }}yes{{ end -}}
{{- end -}}

{{- define "confab.claim" -}}
{{- .Values.persistence.existingClaim | default (include "confab.name" .) -}}
{{- end -}}

{{- define "confab.claimSpec" -}}
accessModes: [{{ .Values.persistence.accessMode }}]
{{- with .Values.persistence.storageClass }}
storageClassName: {{ . }}
{{- end }}
resources:
  requests:
    storage: {{ .Values.persistence.size }}
{{- end -}}

{{- /* The configuration file. Without a setting, clients reach the server at the address of the ingress. */ -}}
{{- define "confab.file" -}}
{{- $settings := deepCopy .Values.settings -}}
{{- if and .Values.ingress.enabled (not (hasKey $settings "public-url")) -}}
{{- $scheme := ternary "https" "http" (ne .Values.ingress.tlsSecret "") -}}
{{- $_ := set $settings "public-url" (printf "%s://%s" $scheme .Values.ingress.host) -}}
{{- end -}}
{{- toYaml $settings -}}
{{- end -}}
