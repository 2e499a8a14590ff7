interface FilterFieldProps<Value extends string> {
  label: string;
  /** Label of the choice that filters nothing. */
  any: string;
  values: readonly Value[];
  /** Returns the label of a value. */
  labelOf: (value: Value) => string;
  value: Value | undefined;
  onChange: (value: Value | undefined) => void;
}

/** A plain list of values to filter by; Mantine's would add its code to the page. */
export function FilterField<Value extends string>(props: FilterFieldProps<Value>) {
  const { label, any, values, labelOf, value, onChange } = props;
  return (
    <select
      className="filter-field"
      aria-label={label}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(values.find((each) => each === currentTarget.value))}
    >
      <option value="">{any}</option>
      {values.map((each) => (
        <option key={each} value={each}>
          {labelOf(each)}
        </option>
      ))}
    </select>
  );
}
