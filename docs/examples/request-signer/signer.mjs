#!/usr/bin/env node
// Signs requests for Lanyard: X-Signature has an HMAC-SHA256 with the key in SIGNING_KEY. See docs/request-signers.md.

import { createHmac } from 'node:crypto';
import { createInterface } from 'node:readline';

const { SIGNING_KEY: key = '' } = process.env;

function sign({ method, host, path, bodySha256 }) {
  const text = [method, host, path, bodySha256 ?? 'UNSIGNED'].join('\n');
  const signature = createHmac('sha256', key).update(text).digest('hex');
  return [['X-Signature', signature]];
}

function answer(request) {
  if (request.version !== 1) {
    return { error: `this signer knows version 1, not ${request.version}` };
  }
  return key === ''
    ? { error: 'SIGNING_KEY is not set: lanyard secret set ACCOUNT/env.SIGNING_KEY' }
    : { headers: sign(request) };
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  process.stdout.write(`${JSON.stringify({ id: request.id, ...answer(request) })}\n`);
}
