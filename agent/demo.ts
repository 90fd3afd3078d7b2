/** The broken repository of `cordon demo`, and the script that a model plays in it. */
export interface Demo {
  /** Name to content. */
  readonly files: Readonly<Record<string, string>>;
  readonly prompt: string;
  /** A script for `scripted:`, as JSON. */
  readonly script: string;
}

const CART = `# Totals of a shopping cart, in cents. Prices come as lines "NAME PRICE COUNT".

# Prints the total of the items on standard input.
cart_total() {
  local total=0 name price count
  while read -r name price count; do
    total=$((total + price))
  done
  echo "$total"
}

# Prints cents as an amount: 1234 is 12.34.
as_amount() {
  printf '%d.%02d\\n' $(($1 / 100)) $(($1 % 100))
}
`;

const TEST = `#!/usr/bin/env bash
# Tests of cart.sh: prints what failed, and exits with 1 if anything did.
cd "$(dirname "$0")" && source ./cart.sh
failed=0
check() {
  if [ "$2" = "$3" ]; then echo "ok   $1"
  else echo "FAIL $1: expected $3, got $2"; failed=1; fi
}
check "one item" "$(printf 'tea 450 1\\n' | cart_total)" 450
check "several of one item" "$(printf 'tea 450 3\\n' | cart_total)" 1350
check "two items" "$(printf 'tea 450 2\\ncup 1200 1\\n' | cart_total)" 2100
check "amount" "$(as_amount 2100)" 21.00
exit $failed
`;

/** A shell script with a failing test: it runs wherever Cordon does. */
export const DEMO: Demo = {
  files: {
    "cart.sh": CART,
    "test.sh": TEST,
    "README.md": "# cart\n\nTotals of a shopping cart. Run the tests with `bash test.sh`.\n",
  },
  prompt: "The tests fail. Find out why and mend it.",
  script: JSON.stringify({
    turns: [
      {
        text: "I will look at what is here and run the tests first.",
        tool_calls: [
          { name: "list_dir", arguments: { path: "." } },
          { name: "read_file", arguments: { path: "README.md" } },
          { name: "bash", arguments: { command: "bash test.sh" } },
        ],
      },
      {
        text: "Two totals are wrong when an item is bought more than once.",
        tool_calls: [
          { name: "grep", arguments: { pattern: "total=", path: "." } },
          { name: "read_file", arguments: { path: "cart.sh" } },
        ],
      },
      {
        text: "The count is read and never used. I multiply by it.",
        tool_calls: [{
          name: "edit_file",
          arguments: {
            path: "cart.sh",
            old_string: "total=$((total + price))",
            new_string: "total=$((total + price * count))",
          },
        }],
      },
      {
        text: "Now the tests again.",
        tool_calls: [
          { name: "bash", arguments: { command: "bash test.sh && git diff --stat" } },
        ],
      },
      {
        text: "The tests pass now. cart_total added each price once and ignored the count; " +
          "it multiplies by the count since my change to cart.sh. Nothing else was touched.",
      },
    ],
  }),
};
