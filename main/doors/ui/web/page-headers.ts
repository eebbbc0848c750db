/** The headers of each response on loopback. `host` is `127.0.0.1:PORT`. */
export function pageHeaders(host: string): Record<string, string> {
  // The page may write to the clipboard: a click copies commands for a terminal.
  return headersOf(`ws://${host}`, deniedFeatures);
}

/** The headers for the desktop app’s window. It needs no connection: the preload carries its messages. */
export function desktopPageHeaders(): Record<string, string> {
  return headersOf("'none'", [...deniedFeatures, 'clipboard-write']);
}

function headersOf(connect: string, denied: readonly string[]): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      `connect-src ${connect}`,
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
    'permissions-policy': denied.map((feature) => `${feature}=()`).join(', '),
    'x-frame-options': 'DENY',
    // Another program that gets this port before or after would share the cache.
    'cache-control': 'no-store',
  };
}

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
