/** The domain of a partition’s services by its regions’ names (botocore’s partitions.json); all other regions are `aws`. */
const domains: readonly (readonly [RegExp, string])[] = [
  [/^cn-/, 'amazonaws.com.cn'],
  [/^eusc-/, 'amazonaws.eu'],
  [/^us-iso-/, 'c2s.ic.gov'],
  [/^us-isob-/, 'sc2s.sgov.gov'],
  [/^eu-isoe-/, 'cloud.adc-e.uk'],
  [/^us-isof-/, 'csp.hci.ic.gov'],
];

/** The region’s own STS; of GovCloud’s regions, too. */
export function stsAddress(region: string): URL {
  const [, domain = 'amazonaws.com'] = domains.find(([regions]) => regions.test(region)) ?? [];
  return new URL(`https://sts.${region}.${domain}/`);
}
