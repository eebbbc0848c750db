import { describe, expect, it } from 'vitest';
import { shortened } from './shortened.ts';
import { styled, visibleWidth } from './style.ts';

const arn = 'arn:aws:eks:eu-west-1:111122223333:cluster/prod-payments';

describe('a name that is too wide', () => {
  it.each([
    ['fits', 'prod-eu', 7, 'prod-eu'],
    ['keeps its end', 'dev-ap-southeast-2-team17-0042', 20, 'dev-ap-…-team17-0042'],
    ['of an EKS cluster keeps region and name', arn, 32, '…eu-west-1…/prod-payments'],
    ['of one keeps its name alone where there is less room', arn, 20, '…/prod-payments'],
    ['of one is cut where that is too wide, too', arn, 12, '…/pr…ayments'],
    [
      'of gcloud’s leaves out the project',
      'gke_corp-production_europe-west4_data',
      24,
      'gke_…_europe-west4_data',
    ],
    ['of gcloud’s keeps its name', 'gke_corp-production_europe-west4_data', 18, 'gke_…_data'],
    ['of a server leaves out https', 'https://prod-eu.corp.example:6443', 25, 'prod-eu.corp.example:6443'],
    ['of a server is cut, too', 'https://AA11.gr7.eu-west-1.eks.amazonaws.com', 20, 'AA11.gr…mazonaws.com'],
    ['of wide letters', '生産環境クラスタ一号', 11, '生産…タ一号'],
  ])('%s', (_, name, width, short) => {
    expect(shortened(name, width)).toBe(short);
    expect(visibleWidth(shortened(name, width))).toBeLessThanOrEqual(width);
  });

  it('keeps its style, which ends with it', () => {
    expect(shortened(styled.red('could not be renewed'), 9)).toBe(styled.red('cou…newed'));
  });

  it('is never cut inside a letter', () => {
    expect(shortened('e\u0301'.repeat(8), 4)).toBe('e\u0301…e\u0301e\u0301');
  });
});
