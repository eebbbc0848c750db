/**
 * Domains below which a cloud gives each of its customers a name: whoever registers one runs a registry there, or gets
 * to see what is sent to it. A wildcard over such names covers those of strangers.
 */
const sharedDomains = [
  'azurecr.io',
  'azurecr.cn',
  'azurecr.us',
  'amazonaws.com',
  'amazonaws.com.cn',
  'on.aws',
  'pkg.dev',
  'gcr.io',
  'jfrog.io',
  'ocir.io',
  'icr.io',
  'scw.cloud',
  'aliyuncs.com',
  'myhuaweicloud.com',
  'github.io',
  'pages.dev',
];

/** Whether a pattern has a `*` where anyone can register a name: `*.azurecr.io`, `*.dkr.ecr.eu-west-1.amazonaws.com`, `*.io`. */
export function coversStrangers(pattern: string): boolean {
  const host = pattern.split('/', 1)[0]?.replace(/:\d+$/, '') ?? '';
  const labels = host.split('.');
  if (!labels.includes('*') && !host.includes('*')) {
    return false;
  }
  // The labels from the last wildcard to the right are fixed: what is left of them is somebody's choice.
  const fixed = labels.slice(labels.findLastIndex((label) => label.includes('*')) + 1).join('.');
  const first = labels[0] ?? '';
  return (
    fixed.split('.').length < 2 ||
    // The customer's own name is the first label; a wildcard in another, such as the region, leaves it theirs.
    (first.includes('*') && sharedDomains.some((domain) => fixed === domain || fixed.endsWith(`.${domain}`)))
  );
}
