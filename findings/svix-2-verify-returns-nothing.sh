#!/usr/bin/env bash
# svix 2 checks a webhook and returns nothing, where svix 1 and standardwebhooks return the parsed body.
# A handler that writes `const event = webhook.verify(body, headers)` gets undefined after the upgrade, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund node@24.21.0 svix@2.5.0 svix-1@npm:svix@1.99.1 standardwebhooks@1.1.1

cat > try.mjs <<'E'
import { Webhook as Standard } from 'standardwebhooks';
import { Webhook as Svix2 } from 'svix';
import { Webhook as Svix1 } from 'svix-1';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = '{"action":"created"}';
const at = new Date();
const headers = {
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': new Standard(secret).sign('msg_1', at, body),
};
for (const [name, Webhook] of Object.entries({ 'svix 1.99.1': Svix1, 'standardwebhooks 1.1.1': Standard, 'svix 2.5.0': Svix2 }))
  console.log(`${name}: ${JSON.stringify(new Webhook(secret).verify(body, headers))}`);
E
npx node try.mjs | tee seen
diff seen - <<'E'
svix 1.99.1: {"action":"created"}
standardwebhooks 1.1.1: {"action":"created"}
svix 2.5.0: undefined
E
