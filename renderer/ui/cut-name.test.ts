import { expect, test } from 'vitest';
import { cutName } from './cut-name.ts';

test.for([
  ['arn:aws:eks:eu-west-1:111122223333:cluster/prod', 'arn:aws:eks:eu-west-1:111122223333', ':cluster/prod'],
  ['payments-production-europe-west-1', 'payments-production', '-europe-west-1'],
  [`${'a'.repeat(70)}0123456789`, 'a'.repeat(70), '0123456789'],
  ['кластер-производства-северный', 'кластер-производства', '-северный'],
  ['生产环境支付服务集群华东一区主集群甲', '生产环境支付服务', '集群华东一区主集群甲'],
])('%s keeps its end', ([name = '', head, tail]) => {
  expect(cutName(name)).toEqual([head, tail]);
});

test.for([
  'prod-eu',
  'عنقود-الإنتاج-في-أوروبا-الغربية',
  'אשכול-הייצור-הראשי-של-החברה',
  'prod-عنقود-الإنتاج-في-أوروبا',
])('%s is in one piece', (name) => {
  expect(cutName(name)).toEqual([name, '']);
});

test('a letter is not cut from its marks', () => {
  const [head, tail] = cutName(`${'x'.repeat(20)}${'🧑‍🚀'.repeat(10)}`);
  expect([head, tail]).toEqual(['x'.repeat(20), '🧑‍🚀'.repeat(10)]);
});
