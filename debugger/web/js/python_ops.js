// Python's names for ops: the page's messages use the kernel's own words.

const names = {
  "tt.get_program_id": "tl.program_id", "tt.get_num_programs": "tl.num_programs", "tt.make_range": "tl.arange", "tt.reduce": "reduction", "tt.scan": "scan", "tt.addptr": "pointer + offset",
  "tt.broadcast": "broadcast", "tt.expand_dims": "[:, None]", "tt.splat": "broadcast",
  "tt.atomic_rmw": "tl.atomic", "tt.clampf": "tl.clamp", "tt.mulhiui": "tl.umulhi", "tt.precise_sqrt": "tl.sqrt_rn", "tt.precise_divf": "tl.div_rn",
  "tt.descriptor_load": "descriptor.load", "tt.descriptor_store": "descriptor.store",
  "tt.assert": "tl.device_assert", "tt.print": "tl.device_print", "tt.fp_to_fp": ".to()", "tt.bitcast": ".to(bitcast=True)", "tt.call": "call",
  "arith.constant": "constant", "arith.select": "tl.where", "arith.cmpi": "comparison", "arith.cmpf": "comparison",
  "arith.addf": "+", "arith.addi": "+", "arith.subf": "-", "arith.subi": "-", "arith.mulf": "*", "arith.muli": "*", "arith.divf": "/",
  "arith.divsi": "//", "arith.divui": "//", "arith.remsi": "%", "arith.remui": "%", "arith.remf": "%", "arith.negf": "-",
  "arith.andi": "&", "arith.ori": "|", "arith.xori": "^", "arith.shli": "<<", "arith.shrsi": ">>", "arith.shrui": ">>",
  "arith.maxnumf": "tl.maximum", "arith.maximumf": "tl.maximum", "arith.maxsi": "tl.maximum", "arith.maxui": "tl.maximum",
  "arith.minnumf": "tl.minimum", "arith.minimumf": "tl.minimum", "arith.minsi": "tl.minimum", "arith.minui": "tl.minimum",
  "scf.for": "for", "scf.while": "while", "scf.if": "if", "scf.yield": "end of the loop's body",
};

/** "tl.load" of "tt.load"; what has no name of its own keeps the op's last part. */
export function python_of(op) {
  if (Object.hasOwn(names, op)) return names[op];
  if (op.startsWith("math.")) return op.replace("math.", "tl.");
  return /^arith\.(ext|trunc|sitofp|uitofp|fpto|index_cast|bitcast)/.test(op) ? ".to()" : op.replace(/^tt\./, "tl.").replace(/^[a-z_]+\.(?=[a-z_]+$)/, (part) => (part === "tl." ? part : ""));
}

/** Ops that say nothing to a person: they only spread a scalar over lanes. */
export function is_silent(op) {
  return op === "tt.splat" || op === "arith.constant" || op === "tt.unsplat";
}
