import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setDefaultCACertificates } from 'node:tls';

/** The files of a certificate of `localhost`; `both` has the certificate and its key, as HAProxy wants them. */
export type Certificate = { readonly certificate: string; readonly key: string; readonly both: string };

/** Makes a certificate with `openssl` that is valid for a day, and lets this process trust it alone. Throws where it cannot. */
export function makeCertificate(folder: string): Certificate {
  const [certificate, key, both] = ['site.pem', 'site.key', 'both.pem'].map((name) => join(folder, name));
  if (certificate === undefined || key === undefined || both === undefined) throw new RangeError('no names');
  const { status, stderr } = spawnSync(
    'openssl',
    [
      ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost'.split(
        ' ',
      ),
      ...['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', certificate],
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`openssl made no certificate: ${stderr}`);
  const text = readFileSync(certificate, 'utf8');
  writeFileSync(both, text + readFileSync(key, 'utf8'), { mode: 0o600 });
  // Nothing else is called over TLS, and each connection would read all the others again.
  setDefaultCACertificates([text]);
  return { certificate, key, both };
}
