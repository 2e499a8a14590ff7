import { readExpression } from '../platform/expression.js';
import { checkQuery, type KnownColumns } from '../platform/sql.js';
import { readTemplate } from '../platform/template.js';
import { ToolCallError } from '../tool.js';

/** SQL, JSONata or a text template that an author of a plan wrote. */
export type Code =
  | { language: 'jsonata' | 'liquid'; text: string }
  | {
      language: 'sql';
      text: string;
      /** Columns of the tables by the table's name. */
      tables: Record<string, KnownColumns>;
      /** Values of the placeholders; null if they are not known yet. */
      parameters: (string | number | boolean | null)[] | null;
    };

export interface CheckedCode {
  /** Why it would fail with any data, in English; null if it may succeed. */
  problem: string | null;
  /** Columns of the result of a query, if they are known. */
  columns: KnownColumns;
}

/** Checks code before it runs; called in a child process. @throws Error for failures that the code did not cause */
export default async function check(code: Code): Promise<CheckedCode> {
  try {
    if (code.language === 'sql')
      return { problem: null, columns: await checkQuery(code.tables, code.text, code.parameters) };
    await (code.language === 'liquid' ? readTemplate : readExpression)(code.text);
    return { problem: null, columns: null };
  } catch (error) {
    if (!(error instanceof ToolCallError)) throw error;
    // The call itself reports what the code did not cause.
    const isByCode = ['invalid_sql', 'invalid_expression', 'invalid_template', 'not_a_number'].includes(
      error.code,
    );
    return { problem: isByCode ? error.message : null, columns: null };
  }
}
