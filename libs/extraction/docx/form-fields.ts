import { fieldWords, linkAddress } from '../field-words.js';
import { isOn, type Attributes } from '../xml.js';

interface Field {
  instruction: string;
  address: string | null;
  hasResult: boolean;
  /** True if the stored result has words. */
  hasWords: boolean;
}

/** The text in which fields are. */
interface FieldText {
  show(text: string): void;
  beginLink(): void;
  endLink(address: string): void;
}

/** The fields of a Word file: boxes and selections of forms, links, equations and buttons. Other fields show their stored result. */
export class FormFields {
  private readonly fields: Field[] = [];
  private box: { isChecked: boolean; isDefault: boolean; isSet: boolean } | null = null;
  private entries: { result: number; values: string[] } | null = null;

  constructor(private readonly text: FieldText) {}

  /** Whether the text at hand is part of the instruction of a field, such as the condition of `IF`. */
  get isCondition(): boolean {
    return this.fields.some(({ hasResult }, index) => !hasResult && index < this.fields.length - 1);
  }

  open(name: string, attributes: Attributes, value: string): void {
    if (name === 'w:fldChar') this.boundary(attributes['w:fldCharType'] ?? '');
    else if (name === 'w:fldSimple') this.beginSimple(attributes['w:instr'] ?? '');
    else if (name === 'w:checkBox') this.box = { isChecked: false, isDefault: false, isSet: false };
    else if (name === 'w:ddList') this.entries = { result: 0, values: [] };
    else if (this.box && name === 'w:default') this.box.isDefault = isOn(value);
    else if (this.box && name === 'w:checked')
      Object.assign(this.box, { isChecked: isOn(value), isSet: true });
    else if (this.entries && (name === 'w:result' || name === 'w:default'))
      this.entries.result = Number(value) || 0;
    else if (this.entries && name === 'w:listEntry') this.entries.values.push(value);
  }

  close(name: string): void {
    if (name === 'w:fldSimple') this.boundary('end');
    else if (name === 'w:checkBox' && this.box) {
      const { isSet, isChecked, isDefault } = this.box;
      this.box = null;
      this.text.show((isSet ? isChecked : isDefault) ? '☒' : '☐');
    } else if (name === 'w:ddList' && this.entries) {
      const { values, result } = this.entries;
      this.entries = null;
      this.text.show(values[result] ?? '');
    }
  }

  /** Called for the words of stored results. */
  addWords(): void {
    const field = this.fields.at(-1);
    if (field?.hasResult) field.hasWords = true;
  }

  addInstruction(text: string): void {
    const field = this.fields.at(-1);
    if (field) field.instruction += text;
  }

  private beginSimple(instruction: string): void {
    this.boundary('begin');
    this.addInstruction(instruction);
    if (fieldWords(instruction) === null) this.boundary('separate');
  }

  private boundary(type: string): void {
    if (type === 'begin')
      this.fields.push({ instruction: '', address: null, hasResult: false, hasWords: false });
    const field = this.fields.at(-1);
    if (type === 'separate' && field) {
      field.hasResult = true;
      field.address = linkAddress(field.instruction);
      if (field.address !== null) this.text.beginLink();
    } else if (type === 'end') {
      const ended = this.fields.pop();
      if (ended && !ended.hasWords) this.text.show(fieldWords(ended.instruction) ?? '');
      if (ended?.address) this.text.endLink(ended.address);
    }
  }
}
