{{- /* The template of a pod, for the StatefulSet with SQLite and the Deployment with PostgreSQL. */ -}}
{{- define "confab.pod" -}}
metadata:
  labels:
    {{- include "confab.labels" . | nindent 4 }}
  annotations:
    # A change of the settings restarts the pods.
    checksum/settings: {{ include "confab.file" . | sha256sum }}
    {{- with .Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "confab.serviceAccount" . }}
  automountServiceAccountToken: false
  # Else a Service named confab would set CONFAB_PORT, which is a setting.
  enableServiceLinks: false
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    # The user `node` of the image.
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  terminationGracePeriodSeconds: {{ add .Values.stopDelaySeconds (get .Values.settings "stop-seconds" | default 25) 5 }}
  containers:
    - name: confab
      image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      env:
        - name: CONFAB_CONFIG
          value: /etc/confab/confab.yaml
        {{- range $setting := keys .Values.secrets | sortAlpha }}
        - name: {{ printf "CONFAB_%s_FILE" ($setting | upper | replace "-" "_") }}
          value: {{ printf "/run/secrets/confab/%s" $setting }}
        {{- end }}
      ports:
        - name: http
          containerPort: 8080
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      startupProbe:
        httpGet:
          path: /healthz
          port: http
        periodSeconds: 5
        timeoutSeconds: 5
        failureThreshold: {{ div (add .Values.startSeconds 4) 5 }}
      livenessProbe:
        httpGet:
          path: /healthz
          port: http
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 3
      readinessProbe:
        httpGet:
          path: /readyz
          port: http
        periodSeconds: 5
        timeoutSeconds: 5
        failureThreshold: 2
      {{- if gt (int .Values.stopDelaySeconds) 0 }}
      lifecycle:
        preStop:
          exec:
            command: [sleep, {{ .Values.stopDelaySeconds | toString | quote }}]
      {{- end }}
      {{- with .Values.resources }}
      resources:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      volumeMounts:
        - name: data
          mountPath: /data
        - name: settings
          mountPath: /etc/confab
          readOnly: true
        - name: tmp
          mountPath: /tmp
        {{- if .Values.secrets }}
        - name: secrets
          mountPath: /run/secrets/confab
          readOnly: true
        {{- end }}
  volumes:
    - name: settings
      configMap:
        name: {{ include "confab.name" . }}
    - name: tmp
      emptyDir: {}
    {{- if not (include "confab.keepsData" .) }}
    # What a bucket and PostgreSQL leave to the folder may be lost with the pod.
    - name: data
      emptyDir: {}
    {{- else if or (include "confab.postgres" .) .Values.persistence.existingClaim }}
    - name: data
      persistentVolumeClaim:
        claimName: {{ include "confab.claim" . }}
    {{- end }}
    {{- if .Values.secrets }}
    - name: secrets
      projected:
        defaultMode: 0440
        sources:
          {{- range $setting := keys .Values.secrets | sortAlpha }}
          {{- $source := get $.Values.secrets $setting }}
          - secret:
              name: {{ $source.name }}
              items:
                - key: {{ $source.key }}
                  path: {{ $setting }}
          {{- end }}
    {{- end }}
  {{- if gt (int .Values.replicas) 1 }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "confab.selector" . | nindent 10 }}
  {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
