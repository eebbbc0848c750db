import { expect, test } from 'vitest';
import { plainAddress } from './plain-address.ts';

/** It may be copied into an issue (rule: no-secret-in-text). */
test.each([
  ['https://api.example.com:6443', 'https://api.example.com:6443'],
  ['https://api.example.com/k8s/c-1?token=canary', 'https://api.example.com/k8s/c-1'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['no address', 'no address'],
  ['https://user:canary@api.example.com:6443', 'https://api.example.com:6443'],
  ['https://user:canary@bad host', 'https://…@bad host'],
  ['user:canary@proxy.example.net:3128', '…@proxy.example.net:3128'],
  ['http://user:12#canary@proxy.example.net', 'http://…'],
  ['http://user:12?canary@proxy.example.net', 'http://…'],
  ['http://user:12\\canary@proxy.example.net', 'http://…'],
  ['http://user:canary#12@proxy.example.net', 'http://proxy.example.net'],
  ['http://user:canary\\12@proxy.example.net', 'http://proxy.example.net'],
  ['http://user:canary/12@proxy.example.net', 'http://proxy.example.net'],
  ['http://user:canary%zz@proxy.example.net', 'http://proxy.example.net'],
  ['http://user:canary@12@proxy.example.net', 'http://proxy.example.net'],
  // The host that a client connects to is shown, and no other.
  ['https://evil.example:443/canary@api.example.com', 'https://evil.example:443/…'],
  ['https://[::1]:443/canary@api.example.com', 'https://[::1]:443/…'],
  ['https://evil.example#@api.example.com', 'https://…'],
  ['https://evil.example?@api.example.com', 'https://…'],
  ['https://evil.example\\@api.example.com', 'https://…'],
  ['https://évil.example/@api.example.com', 'https://…'],
  ['https://evil.example\t/@api.example.com', 'https://…'],
  ['https:evil.example/@api.example.com', '…'],
])('%s is shown as %s', (address, shown) => {
  expect(plainAddress(address)).toBe(shown);
});
