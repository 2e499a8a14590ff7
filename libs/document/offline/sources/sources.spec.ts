import { baseName } from '#contracts/source-name.js';
import { sourceKind, detectLanguage } from './kind.js';
import { titleFor } from './titles.js';

const title = (file: string, text = 'Some words of prose that say little.'): string =>
  titleFor(baseName(file), sourceKind(file, text));

describe('titleFor', () => {
  it.each([
    ['2024-03-12-notes.txt', 'Notes 2024-03-12'],
    ['on_call_notes.md', 'On call notes'],
    ['02-operations.md', 'Operations'],
    ['README.md', 'README'],
    ['nginx.conf', 'Configuration: nginx.conf'],
    ['app.log', 'Log: app.log'],
    ['billing.ts', 'Source code: billing.ts'],
    ['schema.sql', 'Database script: schema.sql'],
    ['metrics.csv', 'Data: metrics.csv'],
    ['__init__.py', 'Source code: `__init__.py`'],
    ['.env', 'Configuration: `.env`'],
    ['会议记录.txt', '会议记录'],
    ['2024.txt', '2024'],
    ['lib20220623x-lib20220623', 'lib20220623x lib20220623'],
    ['docs/v1.2/on_call_notes', 'On call notes'],
    ['src/billing.ts', 'Source code: billing.ts'],
  ])('%s → %s', (file, expected) => {
    expect(title(file)).toBe(expected);
  });

  it.each([
    ['docs/api/readme.txt', 'Readme (`docs/api`)'],
    ['readme.txt', 'Readme'],
    ['src/a/index.ts', 'Source code: `src/a/index.ts`'],
    ['index.ts', 'Source code: index.ts'],
  ])('includes the folder of %s if another source has the same base name', (file, expected) => {
    const kind = sourceKind(file, 'Some words of prose that say little.');
    expect(titleFor(file, kind)).toBe(expected);
  });
});

describe('sourceKind', () => {
  it.each([
    ['app.log.1', 'x', 'log'],
    ['Dockerfile', 'FROM node:20', 'dockerfile'],
    ['Makefile', 'all:\n\tcc x.c', 'makefile'],
    ['site.conf', 'server {\n  listen 80;\n  root /srv;\n}', 'nginx'],
    ['session.txt', '$ ls -la\ntotal 4\n-rw-r--r-- 1 root root 5 a\n', 'console'],
    ['guide.rst', 'Title\n=====\n', 'rst'],
    ['page.html', '<p>x</p>', 'html'],
    ['data.unknown', 'a b c', 'text'],
    ['data.unknown', '{"a": 1}', 'json'],
    ['docs/v1.2/Makefile', 'all:\n\tcc x.c', 'makefile'],
    ['docs/.env', 'A=1', 'dotenv'],
  ])('%s is code in %s', (file, text, language) => {
    expect(sourceKind(file, text)).toEqual({ kind: 'code', language });
  });

  it.each(['LICENSE', 'notes.txt', 'v1.2/LICENSE'])('%s is notes', (file) => {
    expect(sourceKind(file, 'Permission is granted to everybody who asks for it.')).toEqual({
      kind: 'notes',
    });
  });

  it('treats a file with prose between its commands as notes', () => {
    const text =
      'We looked at the pods first, because they had been restarted during the night.\n\n$ kubectl get pods\n';
    expect(sourceKind('x.txt', text)).toEqual({ kind: 'notes' });
  });
});

describe('detectLanguage', () => {
  it.each([
    ['2024-03-12T03:12:00Z INFO up\n2024-03-12T03:12:01Z INFO on\n', 'log'],
    ['10.0.0.1 - - [12/Mar/2024:03:12:00 +0000] "GET / HTTP/1.1" 200 5\n', 'log'],
    ['oncall@bastion:~$ kubectl get pods\nNAME READY\n', 'console'],
    ['PS C:\\Users\\me> Get-Item x\n', 'console'],
    ['Traceback (most recent call last):\n  File "a.py", line 3, in f\nValueError: x\n', 'text'],
    ['diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n', 'diff'],
    ['SELECT id\nFROM t\nWHERE x = 1;\n', 'sql'],
    ['service:\n  name: x\n  ports:\n    - 80\n', 'yaml'],
    ['[main]\nkey = 1\nother = 2\n', 'ini'],
    ['#!/usr/bin/env bash\nset -e\n', 'bash'],
    ['<?xml version="1.0"?>\n<a/>\n', 'xml'],
    ['Make sure that the pods are up before you leave the house.', null],
    ['git was broken all night, said the on-call engineer.', null],
    ['', null],
  ])('%j is %s', (text, language) => {
    expect(detectLanguage(text)).toBe(language);
  });
});
