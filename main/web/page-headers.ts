/** Said with each answer. `host` is `127.0.0.1:PORT`. */
export function pageHeaders(host: string): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      `connect-src ws://${host}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'no-referrer',
    'permissions-policy': deniedFeatures.map((feature) => `${feature}=()`).join(', '),
    'x-frame-options': 'DENY',
    // Whoever has the port after us or had it before would share the cache with us.
    'cache-control': 'no-store',
  };
}

/** The clipboard may be written: lines for a terminal are copied by a click. */
const deniedFeatures: readonly string[] = [
  'accelerometer',
  'autoplay',
  'camera',
  'clipboard-read',
  'display-capture',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'local-network-access',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-get',
  'serial',
  'usb',
];
