const NOUNS = 3;
const NO_NOUN =
  /^(?:the|and|for|was|were|are|had|has|have|with|from|into|that|than|then|them|they|this|which|when|went|its|only|just|still|but|und|die|der|das|den|dem|des|mit|von|aus|bis|ist|sind|war|waren|wird|wurde|wurden|hat|eine?[nrms]?|auch|nur|noch|aber|nicht|sich|als|wie|oraz|tylko|jeszcze|już|się|ale|nie|jest|było|przez|est|les|des|une|dont|dans|avec|pour|par|sont|los|las|del|que|por|para|con|una|son|fue|fueron)$/iu;

/** Behind an age: `nineteen when he left`. */
const WHEN = /^ (?:when|als|gdy|kiedy|quand|lorsqu|cuando)(?!\p{L})/iu;

/** Returns the next words after a figure, up to the end of the clause or the next figure. */
export function nounsAfter(behind: string): string[] {
  if (WHEN.test(behind)) return [];
  const clause = /^[^.,;:!?()|\d]{0,60}/u.exec(behind)?.[0] ?? '';
  return (clause.match(/\p{L}{3,}|\p{Ll}\p{Lu}|\p{Lu}{2}/gu) ?? [])
    .filter((word) => !NO_NOUN.test(word))
    .slice(0, NOUNS);
}
