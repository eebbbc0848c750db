import { expect, it } from 'vitest';
import { interpreterOf } from './interpreter-line.ts';

it.each<[head: string, interpreter: string | null, searched?: string]>([
  ['\x7fELF', null],
  ['', null],
  ['# no script', null],
  ['#!\n', null],
  ['#!/bin/sh\necho', '/bin/sh'],
  ['#! \t/bin/sh -eu\necho', '/bin/sh'],
  ['#!/bin/sh', '/bin/sh'],
  ['#!bin/sh\n', 'bin/sh'],
  ['#!/bin/sh \t\n', '/bin/sh'],
  ['#!/bin/sh\r\necho', '/bin/sh\r'],
  ['#!/usr/bin/env node\n', '/usr/bin/env', 'node'],
  ['#!/usr/bin/env -S node --flag\n', '/usr/bin/env', 'node'],
  ['#!/usr/bin/env -S A=b python3 -I\n', '/usr/bin/env', 'python3'],
  ['#!/usr/bin/env\n', '/usr/bin/env'],
  ['#!/opt/myenv node\n', '/opt/myenv'],
])('the interpreter of %j', (head, path, searched) => {
  expect(interpreterOf(Buffer.from(head))).toEqual(
    path === null ? null : { path, searched: searched ?? null },
  );
});
