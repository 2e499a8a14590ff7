import { attribute, hasClass, nodesOf, type Element, type Node } from './elements.js';

/** Classes of what MathJax 2 draws for the formula of a script: before it is drawn, and in each of its forms. */
const DRAWN =
  'MathJax MathJax_Preview MathJax_Display MathJax_SVG MathJax_SVG_Display MathJax_CHTML MJXc-display'.split(
    ' ',
  );

/** Returns whether an element is a formula of MathJax 2, whose source is TeX. */
export const isTexScript = (element: Element): boolean =>
  element.tagName === 'script' && /^math\/tex\b/i.test(attribute(element, 'type') ?? '');

export const texScripts = (page: Node): Element[] =>
  [...nodesOf(page)].filter((node): node is Element => 'tagName' in node && isTexScript(node));

/** Returns whether an element is drawn for a formula that a script of the page contains. */
export const isDrawnFormula = (element: Element): boolean => DRAWN.some((name) => hasClass(element, name));
