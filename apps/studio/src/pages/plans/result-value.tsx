import { Code, Table, Text } from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';

interface ResultValueProps {
  /** Start of the result: JSON, which is cut if it is long. */
  preview: string;
}

type Row = Record<string, unknown>;

/** Maximum number of rows of a table; the file contains all. */
const MAX_ROWS = 10;

/** Shows a result for people: text as text, rows as a table, figures by name, and truncated JSON unchanged. */
export function ResultValue({ preview }: ResultValueProps) {
  const value = parsed(preview);
  if (typeof value === 'string') return <TextBlock>{value}</TextBlock>;
  if (!isRow(value)) return <TextBlock>{preview}</TextBlock>;
  return Object.entries(value).map(([name, each]) => (
    <Field key={name} name={name} value={each} of={value} />
  ));
}

function Field({ name, value, of }: { name: string; value: unknown; of: Row }) {
  if (isTable(value)) return <Rows rows={value} />;
  // The columns of a table are its head.
  if (name === 'columns' && isTable(of['rows'])) return null;
  if (name === 'text' && typeof value === 'string') return <TextBlock>{value}</TextBlock>;
  return (
    <Text size="sm">
      {name}: {inWords(value)}
    </Text>
  );
}

function Rows({ rows }: { rows: Row[] }) {
  const { t } = useTranslation();
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    <Table.ScrollContainer minWidth={280}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column}>{column}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.slice(0, MAX_ROWS).map((row, index) => (
            <Table.Tr key={index}>
              {columns.map((column) => (
                <Table.Td key={column}>{inWords(row[column])}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {rows.length > MAX_ROWS && (
        <Text size="sm" c="dimmed">
          {t('plans.moreRows', { count: rows.length - MAX_ROWS })}
        </Text>
      )}
    </Table.ScrollContainer>
  );
}

function TextBlock({ children }: { children: string }) {
  return (
    <Code block tabIndex={0}>
      {children}
    </Code>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTable = (value: unknown): value is Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRow);

/** Returns a value as text on one line. */
const inWords = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(inWords).join(', ');
  if (isRow(value))
    return Object.entries(value)
      .map(([name, each]) => `${name}: ${inWords(each)}`)
      .join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
};
