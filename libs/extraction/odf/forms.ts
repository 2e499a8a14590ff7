import type { Attributes } from '../xml.js';

/** Words that a form's controls show, by control ID. */
export class OdfForms {
  private readonly shown = new Map<string, string>();
  private id = '';
  private field = { type: '', values: [] as string[], result: -1, isChecked: false };

  /** Reads an element within `office:forms`. */
  open(name: string, attributes: Attributes): void {
    const id = attributes['form:id'] ?? attributes['xml:id'];
    if (id !== undefined) this.id = id;
    const label = attributes['form:label'] ?? '';
    const value = attributes['form:current-value'] ?? attributes['form:value'] ?? '';
    if (name === 'form:checkbox' || name === 'form:radio') {
      const state = attributes['form:current-state'] ?? attributes['form:state'];
      const isOn =
        state === 'checked' ||
        (attributes['form:current-selected'] ?? attributes['form:selected']) === 'true';
      this.add(`${isOn ? '☒' : '☐'} ${label}`);
    } else if (name === 'form:option' || name === 'form:item') {
      const isOn = (attributes['form:current-selected'] ?? attributes['form:selected']) === 'true';
      if (isOn) this.add(label);
    } else if (name === 'form:hidden' || name === 'form:password') return;
    else if (name.startsWith('form:')) this.add([label, value].filter((words) => words !== '').join(' '));
  }

  /** Adds words inside of the current control. */
  add(words: string): void {
    if (words.trim() !== '')
      this.shown.set(this.id, [this.shown.get(this.id), words.trim()].filter(Boolean).join(' '));
  }

  /** Returns the displayed text of a control. */
  of(id: string): string {
    return this.shown.get(id) ?? '';
  }

  /** Reads a form field of Word in an OpenDocument text: `field:fieldmark` and its parameters. */
  openField(name: string, attributes: Attributes): void {
    const value = attributes['field:value'] ?? '';
    const parameter = attributes['field:name'] ?? '';
    if (name === 'field:fieldmark')
      this.field = { type: attributes['field:type'] ?? '', values: [], result: -1, isChecked: false };
    else if (parameter === 'Checkbox_Checked') this.field.isChecked = value === 'true';
    else if (parameter === 'Dropdown_ListEntry') this.field.values.push(value);
    else if (parameter === 'Dropdown_Selected') this.field.result = Number(value) || 0;
  }

  /** Ends a form field and returns its displayed text. */
  endField(): string {
    const { type, values, result, isChecked } = this.field;
    if (type.endsWith('FORMCHECKBOX')) return isChecked ? '☒' : '☐';
    return values[result] ?? '';
  }
}
