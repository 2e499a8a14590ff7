import type { Settings } from './options.js';
import { escapeAttribute, escapeText, XML_HEAD } from './xml.js';

const PROPERTIES = 'http://schemas.openxmlformats.org/officeDocument/2006';

/** Writes `docProps/core.xml`: the properties shown by Word and file managers. */
export function coreXml(settings: Settings): string {
  const element = (name: string, text: string): string =>
    text === '' ? '' : `<${name}>${escapeText(text)}</${name}>`;
  const time = settings.createdAt.toISOString().replace(/\.\d+Z$/, 'Z');
  const stamp = (name: string): string =>
    `<dcterms:${name} xsi:type="dcterms:W3CDTF">${time}</dcterms:${name}>`;
  return (
    `${XML_HEAD}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" ` +
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
    element('dc:title', settings.title) +
    element('dc:subject', settings.subtitle) +
    element('dc:creator', settings.author) +
    element('cp:keywords', settings.keywords) +
    element('dc:description', settings.description) +
    element('dc:language', settings.language) +
    `${stamp('created')}${stamp('modified')}</cp:coreProperties>`
  );
}

export function appXml(): string {
  return `${XML_HEAD}<Properties xmlns="${PROPERTIES}/extended-properties"><Application>Scriptorium</Application></Properties>`;
}

/** Writes `docProps/custom.xml`; all custom properties share the same format ID. */
export function customXml(properties: Record<string, string>): string {
  const entries = Object.entries(properties).map(
    ([name, value], i) =>
      `<property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="${i + 2}" name="${escapeAttribute(name)}"><vt:lpwstr>${escapeText(value)}</vt:lpwstr></property>`,
  );
  return `${XML_HEAD}<Properties xmlns="${PROPERTIES}/custom-properties" xmlns:vt="${PROPERTIES}/docPropsVTypes">${entries.join('')}</Properties>`;
}

/** Writes the document settings: Word 2013's layout (mode 15), footnote separators, no update prompt. */
export function settingsXml(namespaces: string, notes: boolean): string {
  const compat = (name: string, value: number): string =>
    `<w:compatSetting w:name="${name}" w:uri="http://schemas.microsoft.com/office/word" w:val="${value}"/>`;
  return (
    `${XML_HEAD}<w:settings ${namespaces}><w:zoom w:percent="100"/><w:defaultTabStop w:val="720"/><w:characterSpacingControl w:val="doNotCompress"/>` +
    (notes ? '<w:footnotePr><w:footnote w:id="0"/><w:footnote w:id="1"/></w:footnotePr>' : '') +
    `<w:compat>${compat('compatibilityMode', 15)}${compat('overrideTableStyleFontSizeAndJustification', 1)}` +
    `${compat('enableOpenTypeFeatures', 1)}${compat('doNotFlipMirrorIndents', 1)}</w:compat>` +
    '<m:mathPr><m:mathFont m:val="Cambria Math"/></m:mathPr><w:decimalSymbol w:val="."/><w:listSeparator w:val=","/></w:settings>'
  );
}
