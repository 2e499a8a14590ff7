/** Findings of checks of texts in German. */
export const findings = {
  'claim.number': 'die Zahl „{text}“',
  'claim.date': 'das Datum „{text}“',
  'claim.quote': 'das Zitat „{text}“',
  'claim.name': 'den Namen „{text}“',
  'claim.identifier': 'die Kennung „{text}“',
  'claim.url': 'die Adresse „{text}“',
  'claim.path': 'den Pfad „{text}“',
  'claim.superlative': 'den Superlativ „{text}“',
  'claim.cause': 'die Ursache „{text}“',
  'finding.change_outside_selection':
    'Der geänderte Text würde Korrekturen am Markdown außerhalb der Auswahl erfordern.',
  'finding.change_outside_selection.whole_paragraphs':
    'Wählen Sie ganze Absätze aus oder behalten Sie die Form des ausgewählten Textes bei.',
  'finding.citation.check': 'Prüfen Sie die Stelle [^{label}] und zitieren Sie sie, wenn sie das belegt.',
  'finding.citation.cite_given': 'Zitieren Sie eine der vorhandenen Stellen oder streichen Sie den Satz.',
  'finding.citation.cite_or_remove': 'Zitieren Sie die Stelle, die das belegt, oder streichen Sie den Satz.',
  'finding.citation.cite_other':
    'Geben Sie wieder, was an der Stelle steht, oder zitieren Sie die Stelle, die „{text}“ enthält.',
  'finding.citation.missing': 'Der Satz nennt {claims}, ohne eine Stelle zu zitieren.',
  'finding.citation.unknown': 'Der Satz zitiert „{label}“; diese Stelle gibt es nicht.',
  'finding.citation.unsupported': 'Die zitierte Stelle enthält {claim} nicht.',
  'finding.closing.question': 'Der Text endet mit einer Frage, kein Text des Korpus tut das.',
  'finding.closing.stock': '„{found}“ ist eine Floskel; kein Text des Korpus endet mit einer.',
  'finding.consistency.check_value':
    'Prüfen Sie, welche Angabe stimmt, und verwenden Sie sie an beiden Stellen.',
  'finding.consistency.name': '„{here}“ heißt in „{title}“ „{there}“.',
  'finding.consistency.one_spelling':
    'Verwenden Sie eine Schreibweise oder machen Sie deutlich, dass es sich um zwei verschiedene handelt.',
  'finding.consistency.value': '„{title}“ nennt dafür {there}, hier steht {here}.',
  'finding.double_space': 'Mehr als ein Leerzeichen zwischen zwei Wörtern.',
  'finding.drift.language':
    'Die Sprache des Buchs ist „{asked}“, das Kapitel ist aber auf „{written}“ geschrieben.',
  'finding.drift.language_of_paragraph':
    'Das Buch hat die Sprache „{asked}“, dieser Absatz aber „{written}“.',
  'finding.drift.manner': '{measure}: {figure}; das angenommene Kapitel „{title}“ hat {usual}.',
  'finding.drift.tone': 'Der Ton soll „{tone}“ sein; {measure}: {figure}, höchstens {most} wären passend.',
  'finding.ellipsis': 'Im Korpus endet kein Satz mit Auslassungspunkten.',
  'finding.exclamation': 'Das Korpus kommt ohne Ausrufezeichen aus.',
  'finding.habit.corpus': '{habit}: hier {here}, im Korpus {like}{there}.',
  'finding.habit.text': '{habit}: hier {here}, sonst im Text {like}{there}.',
  'finding.habit.like': 'wie ',
  'finding.habit.quotation_marks': 'Anführungszeichen',
  'finding.habit.apostrophe': 'Apostroph',
  'finding.habit.dash': 'Gedankenstrich',
  'finding.habit.ellipsis': 'Auslassungspunkte',
  'finding.habit.decimal_mark': 'Dezimalzeichen',
  'finding.habit.thousands': 'Tausendertrennzeichen',
  'finding.habit.percent': 'Prozentangabe',
  'finding.habit.date_format': 'Datum',
  'finding.habit.time_format': 'Uhrzeit',
  'finding.habit.heading_case': 'Überschrift',
  'finding.habit.contractions': 'Verb',
  'finding.habit.spelling_ise': 'Schreibweise',
  'finding.habit.spelling_our': 'Schreibweise',
  'finding.heading_level.first':
    'Der Text beginnt mit einer Überschrift der Ebene {level}, die Texte des Korpus mit Ebene {usual}.',
  'finding.heading_level.second_title':
    'Eine zweite Überschrift der Ebene 1; die Texte des Korpus haben nur eine.',
  'finding.heading_level.skipped':
    'Auf eine Überschrift der Ebene {above} folgt eine der Ebene {level}; Ebene {missing} fehlt.',
  'finding.opening.question': 'Der Text beginnt mit einer Frage, kein Text des Korpus tut das.',
  'finding.opening.stock': '„{found}“ ist eine Floskel; kein Text des Korpus beginnt mit einer.',
  'finding.overlap': {
    one: '{count} Wort steht so auch in „{title}“.',
    other: '{count} aufeinanderfolgende Wörter stehen so auch in „{title}“.',
  },
  'finding.overlap.refer':
    'Überlassen Sie das „{title}“ und verweisen Sie darauf, oder schreiben Sie etwas Neues.',
  'finding.overlong.paragraph':
    'Dieser Absatz hat {words} Wörter; im Korpus haben neunzehn von zwanzig höchstens {usual}.',
  'finding.overlong.sentence':
    'Dieser Satz hat {words} Wörter; im Korpus haben neunzehn von zwanzig höchstens {usual}.',
  'finding.person.i': 'hier spricht der Autor in der Ich-Form',
  'finding.person.we': 'hier spricht der Autor in der Wir-Form',
  'finding.person.you': 'hier wird der Leser angesprochen',
  'finding.person.never': '„{found}“: {what}; im Korpus kommt das nie vor.',
  'finding.person.rarely': '„{found}“: {what}; im Korpus kommt das fast nie vor.',
  'finding.repeated_word': '„{words}“ steht hier zweimal hintereinander.',
  'finding.space_before_mark': 'Ein Leerzeichen vor einem Satzzeichen.',
  'finding.surplus.of_sentences':
    'Der Text enthält viele {what} ({found} in {size} Sätzen); im Korpus sind es {usual} von 100 Sätzen.',
  'finding.surplus.of_words':
    'Der Text enthält viele {what} ({found} auf {size} Wörter); im Korpus sind es {usual} auf tausend Wörter.',
  'finding.surplus.passives': 'Passivsätze',
  'finding.surplus.connectives': 'Bindewörter',
  'finding.surplus.semicolons': 'Semikolons',
  'finding.surplus.parentheses': 'Klammern',
  'finding.surplus.questions': 'Fragen',
  'finding.term.spelled': '„{word}“ schreibt sich im Korpus „{term}“.',
  'finding.term.written': '„{word}“ wird im Korpus „{term}“ geschrieben.',
  'finding.uncited_addition':
    'Die Änderung fügt {words} hinzu; das steht nicht im Text und ist durch keine zitierte Stelle belegt.',
  'finding.uncited_addition.cite': 'Zitieren Sie die Stelle, die das belegt, oder lassen Sie es weg.',
  'measure.sentence_words': 'Wörter pro Satz',
  'measure.paragraph_words': 'Wörter pro Absatz',
  'measure.first_person_singular_per_1000': '„ich“ und „mein“ auf tausend Wörter',
  'measure.first_person_plural_per_1000': '„wir“ und „unser“ auf tausend Wörter',
  'measure.second_person_per_1000': '„du“, „Sie“ und „Ihr“ auf tausend Wörter',
  'measure.passive_share': 'Anteil der Passivsätze',
  'measure.past_share': 'Anteil der Sätze in der Vergangenheit',
  'measure.exclamations_per_1000': 'Ausrufezeichen auf tausend Wörter',
} as const;
