import type { Webhook } from 'confab-client';
import code from '../../../../docs/webhooks.md';

/**
 * Receivers in several languages for one webhook: the functions that verify a request, which are those of the page about
 * webhooks, and around them a small server at the address of the webhook.
 */

/** The languages with what writes a receiver in each. */
export const receivers = [
  ['Node', node],
  ['Python', python],
  ['PHP', php],
  ['Go', go],
] as const satisfies readonly (readonly [name: string, write: (webhook: Webhook) => string])[];

/** The address as it is requested, without what has no place in a comment of a program. */
function addressOf({ payload_url }: Webhook): URL {
  return new URL(payload_url);
}

/** What the first lines of each receiver say. */
function about(webhook: Webhook, comment: string): string {
  return [
    `Receives ${webhook.triggers.join(', ')} at ${addressOf(webhook).href}`,
    'WEBHOOK_SECRET is the secret of the webhook; PORT is where your server listens.',
  ]
    .map((line) => `${comment} ${line}`)
    .join('\n');
}

/** The path with its query as a string of a program; a URL has no character that these languages read otherwise. */
function target(webhook: Webhook): string {
  const { pathname, search } = addressOf(webhook);
  return JSON.stringify(pathname + search);
}

function node(webhook: Webhook): string {
  return `${about(webhook, '//')}
import { createServer } from 'node:http';
${code.Node}
const target = ${target(webhook)};

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const isSigned =
    'webhook-signature' in request.headers && isValid(process.env.WEBHOOK_SECRET, request.headers, body);
  if (request.url !== target || !isSigned) return response.writeHead(401).end();
  const event = JSON.parse(body);
  // Keep event.guid to recognise what comes twice, put the event into a queue of your own, and answer.
  console.log(event.action, event.guid);
  response.writeHead(204).end();
}).listen(process.env.PORT ?? 9000);
`;
}

function python(webhook: Webhook): string {
  return `${about(webhook, '#')}
import json, os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
${code.Python}
TARGET = ${target(webhook)}

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        is_signed = "webhook-signature" in self.headers and is_valid(os.environ["WEBHOOK_SECRET"], self.headers, body)
        is_accepted = self.path == TARGET and is_signed
        if is_accepted:
            event = json.loads(body)
            # Keep the guid to recognise what comes twice, put the event into a queue of your own, and answer.
            print(event["action"], event["guid"])
        self.send_response(204 if is_accepted else 401)
        self.end_headers()

ThreadingHTTPServer(("", int(os.environ.get("PORT", "9000"))), Receiver).serve_forever()
`;
}

function php(webhook: Webhook): string {
  return `<?php
${about(webhook, '//')}
${code.PHP}
$headers = array_change_key_case(getallheaders());
$body = file_get_contents('php://input');
if (!isset($headers['webhook-signature']) || !is_valid(getenv('WEBHOOK_SECRET'), $headers, $body)) {
    http_response_code(401);
    exit;
}
$event = json_decode($body, true);
// Keep the guid to recognise what comes twice, put the event into a queue of your own, and answer.
error_log("{$event['action']} {$event['guid']}");
http_response_code(204);
`;
}

function go(webhook: Webhook): string {
  return `${about(webhook, '//')}
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

${code.Go}
const target = ${target(webhook)}

func receive(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	isSigned := err == nil && isValid(os.Getenv("WEBHOOK_SECRET"), request.Header, body)
	if request.URL.RequestURI() != target || !isSigned {
		http.Error(response, "refused", http.StatusUnauthorized)
		return
	}
	var event struct{ Action, Guid string }
	if err := json.Unmarshal(body, &event); err != nil {
		http.Error(response, err.Error(), http.StatusBadRequest)
		return
	}
	// Keep the guid to recognise what comes twice, put the event into a queue of your own, and answer.
	log.Println(event.Action, event.Guid)
	response.WriteHeader(http.StatusNoContent)
}

func main() {
	port := os.Getenv("PORT")
	if port == "" {
		port = "9000"
	}
	log.Fatal(http.ListenAndServe(":"+port, http.HandlerFunc(receive)))
}
`;
}
