import { BlockList, isIP } from 'node:net';

/**
 * Networks in which no token server of a remote registry is: this machine, its link, multicast, and the addresses at
 * which clouds give a machine its own credentials. Private networks are not among them: a company’s registry is there.
 */
const closed: readonly (readonly [address: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // Metadata services outside the link-local network: Alibaba, Azure, Oracle; Amazon and Google over IPv6.
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
  ['fd00:ec2::', 32],
  ['fd20:ce::254', 128],
  ['::', 128],
  ['::1', 128],
  ['fe80::', 10],
  ['ff00::', 8],
  // The same IPv4 networks behind NAT64 (RFC 6052).
  ['64:ff9b::7f00:0', 104],
  ['64:ff9b::a9fe:0', 112],
];

const networks = new BlockList();
for (const [address, prefix] of closed) {
  networks.addSubnet(address, prefix, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/**
 * Whether an IP address may not get a credential for a remote registry (rule: realm-trust). True for what is no address.
 */
export function isClosedAddress(address: string): boolean {
  const [plain = ''] = address.split('%', 1); // without the zone of a link-local address (RFC 6874)
  const family = isIP(plain);
  // A BlockList sees the IPv4 address in `::ffff:127.0.0.1`, too.
  return family === 0 || networks.check(plain, family === 4 ? 'ipv4' : 'ipv6');
}
