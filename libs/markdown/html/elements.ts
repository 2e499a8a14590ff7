const split = (names: string): Set<string> => new Set(names.split(' '));

/** Void elements, and elements that may lack an end tag or have it in a later block. */
const OPEN_ENDED = split(
  'address article aside base blockquote body br center col colgroup dd details dialog dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html img input keygen legend li link main menu meta nav ol optgroup option p param picture pre search section source summary table tbody td tfoot th thead tr track ul wbr',
);
const ENDED = split(
  'a abbr acronym applet area audio b bdi bdo big blink button canvas caption cite code data datalist del dfn em font i iframe ins kbd label listing map mark marquee math meter nobr noembed noframes noscript object output plaintext progress q rb rp rt rtc ruby s samp script select slot small span strike strong style sub sup svg template textarea time title tt u var video xmp',
);
/** Elements of SVG and MathML, except names that are also words of prose. */
const FOREIGN =
  /^(?:path|rect|circle|ellipse|polygon|polyline|tspan|defs|lineargradient|radialgradient|clippath|fe[a-z]{4,}|foreignobject|m(?:row|frac|sqrt|sup|sub|over|under|text|table|tr|td|subsup|style|padded)|annotation)$/;

/** Elements that start a new block for every reader. */
const BLOCKS =
  'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table td th tr ul';

/** Returns the names of `BLOCKS` and of `more`, which are separated by blanks. */
export function blockElements(more: string): ReadonlySet<string> {
  return split(`${BLOCKS} ${more}`);
}

/** Returns whether HTML has an element of this name (in lower case). */
export function isElement(name: string): boolean {
  return ENDED.has(name) || OPEN_ENDED.has(name) || FOREIGN.test(name);
}

/** Returns whether an element of this name always has an end tag in the same block. */
export function needsEndTag(name: string): boolean {
  return ENDED.has(name);
}

const HIDDEN = split('script style template head noscript iframe object title');

/** Returns whether an element's text is not part of the document's text. */
export function isHiddenElement(name: string): boolean {
  return HIDDEN.has(name);
}
