import { isObject, jsonOf } from '#contracts/lenient.js';
import { Code, Text } from '@mantine/core';
import { useTranslation } from '../i18n/i18n';
import { formatBytes } from './format';
import { Hint } from './frames';
import { ListTable } from './list-table';

type Row = Record<string, unknown>;

/** Maximum number of rows of a table; the file contains all. */
const MAX_ROWS = 10;

/** Shows the start of a result for people: text as text, rows as a table, figures by name, and truncated JSON unchanged. */
export function ResultValue({ preview }: { preview: string }) {
  const value = jsonOf(preview);
  if (typeof value === 'string') return <TextBlock>{value}</TextBlock>;
  if (!isObject(value)) return <TextBlock>{preview}</TextBlock>;
  return Object.entries(value).map(([name, each]) => (
    <Field key={name} name={name} value={each} of={value} />
  ));
}

function Field({ name, value, of }: { name: string; value: unknown; of: Row }) {
  const { t } = useTranslation();
  if (isTable(value)) return <Rows rows={value} />;
  // The columns of a table are its head.
  if (name === 'columns' && isTable(of['rows'])) return null;
  if (name === 'text' && typeof value === 'string') return <TextBlock>{value}</TextBlock>;
  // Programs use IDs; the file contains them.
  if (name.endsWith('_id') || value === null) return null;
  const shown = name === 'bytes' && typeof value === 'number' ? formatBytes(value) : inWords(value);
  return (
    <Text size="sm">
      {t(`resultField.${name}`, { defaultValue: name.replaceAll('_', ' ') })}: {shown}
    </Text>
  );
}

/** Shows the first rows of a table. */
export function Rows({ rows }: { rows: Row[] }) {
  const { t } = useTranslation();
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    <>
      <ListTable<Row>
        items={rows.slice(0, MAX_ROWS)}
        minWidth={280}
        columns={columns.map((label) => ({ label, cell: (row) => inWords(row[label]) }))}
      />
      {rows.length > MAX_ROWS && <Hint>{t('plans.moreRows', { count: rows.length - MAX_ROWS })}</Hint>}
    </>
  );
}

function TextBlock({ children }: { children: string }) {
  return (
    <Code block tabIndex={0} className="result-text">
      {children}
    </Code>
  );
}

/** Returns whether a value is a list of rows. */
export const isTable = (value: unknown): value is Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject);

/** Returns a value as text on one line. */
export const inWords = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(inWords).join(', ');
  if (isObject(value))
    return Object.entries(value)
      .map(([name, each]) => `${name}: ${inWords(each)}`)
      .join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
};
