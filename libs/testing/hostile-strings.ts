/** Expression that is true in a page that executed any of the strings. */
export const HOSTILE_FLAG = 'window.hostileRan === true';

const RUN = 'window.hostileRan=true';

const MARKUP = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<svg onload="${RUN}">`,
  `<svg><script href="data:text/javascript,${RUN}"/></svg>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>">`,
  `<body onload="${RUN}">`,
  `<details open ontoggle="${RUN}">`,
  `<a href="javascript:${RUN}">click</a>`,
  `<form action="javascript:${RUN}"><button>`,
  `<math><mtext><table><mglyph><style><img src=x onerror="${RUN}">`,
  `<style>@import 'http://evil.test/x.css';</style>`,
  `<link rel=stylesheet href=http://evil.test/x.css>`,
  `<meta http-equiv=refresh content="0;url=http://evil.test/">`,
  `<base href="http://evil.test/">`,
  `<object data="javascript:${RUN}">`,
  `<embed src="http://evil.test/x.swf">`,
  `<video src=http://evil.test/x.mp4 onerror="${RUN}">`,
  `<input autofocus onfocus="${RUN}">`,
  `<noscript><p title="</noscript><img src=x onerror='${RUN}'>">`,
  `<template shadowrootmode=open><script>${RUN}</script></template>`,
];
const TEXT = [
  `javascript:${RUN}`,
  `data:text/html,<script>${RUN}</script>`,
  `[click](javascript:${RUN})`,
  '![x](http://evil.test/x.png)',
  '[x]: http://evil.test/ "title"',
  '{{constructor.constructor("return 1")()}}',
  '${7*7} #{7*7} <%= 7*7 %>',
  `'-${RUN}-'`,
  `";${RUN}//`,
  "'; DROP TABLE runs; --",
  '../../../../etc/passwd',
  '__proto__',
  'constructor',
  'null',
  '$t(nav.books) {{count}}',
  '=cmd|"/c calc"!A1',
  '\u202Eevil\u202C',
  'A\u0301\u0302\u0303\u0304\u0305'.repeat(12),
  'ﷺ'.repeat(20),
  'W'.repeat(180),
  'Ｗｉｄｅ'.repeat(25),
  '👩‍👩‍👧‍👦'.repeat(15),
  'לא לכתוב מימין לשמאל',
  '\u200B\u200B\u200B',
  'x'.repeat(60) + '/' + 'y'.repeat(60),
];
const AROUND = [
  ['', ''],
  ['"', '"'],
  ["'>", '<!--'],
  ['</title>', ''],
  ['</textarea>', ''],
  ['--><', '>'],
  ['&lt;', '&gt;'],
  [']]>', ''],
  ['`', '`'],
  ['\\', '\\'],
  ['A title with ', ' in it'],
  ['# ', ''],
] as const;

/** More than 500 strings that a page must show as text: markup, addresses, templates, long and unusual characters. */
export const hostileStrings: readonly string[] = [...MARKUP, ...TEXT].flatMap((core) =>
  AROUND.map(([before, after]) => `${before}${core}${after}`.slice(0, 195)),
);
