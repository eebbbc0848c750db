import { expect, test } from 'vitest';
import { isClosedAddress } from './closed-addresses.ts';

/** (rule: realm-trust) */
test.each([
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '169.254.169.254',
  '169.254.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fe80::1',
  'febf::1',
  'fe80::1%eth0',
  'fd00:ec2::254',
  'fd20:ce::254',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:169.254.169.254',
  '::ffff:7f00:1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a9fe:a9fe',
  'localhost',
  '',
  '1.2.3',
])('%s is closed', (address) => {
  expect(isClosedAddress(address)).toBe(true);
});

test.each([
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '93.184.216.34',
  '128.0.0.1',
  'fd12::1',
  '2001:db8::1',
  '::ffff:10.0.0.1',
  '64:ff9b::5db8:d822',
])('%s is open', (address) => {
  expect(isClosedAddress(address)).toBe(false);
});
