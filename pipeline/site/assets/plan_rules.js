// The arithmetic of a plan, as `flopledger estimate` does it (methods, sections 2 to 5, 8 and 9). All coefficients are
// in `data`, which pipeline/site/plan_data.py writes. It runs in browsers and in node.
"use strict";
(() => {
  const DAY = 86400, TRIAL_SIZE = 1e9;
  const FIGURES = ["parameters", "data", "chips", "days"];  // a plan leaves out one of them
  const {exp, log, max, min, round, sqrt} = Math;
  const fine = (value) => round(value * 1e9) / 1e9;  // sums of small amounts have nine decimals in SQL
  const both = (...errors) => sqrt(errors.reduce((sum, error) => sum + error ** 2, 0));
  const refuse = (message) => { throw new Error(message); };

  // The operations of training, their half-width in ln, and how far they tend to exceed the count (`lean`).
  const counted = (data, plan, size, examples) => {
    const base = data.bases[plan.base_model], active = plan.active_parameters ?? size;
    const perToken = (base ?? [])[5] ?? (plan.forward_flop ? null : active);
    let [forward, backward] = [2 * active, 2 * active * (plan.frozen ? 1 : data.backward_ratio.all)];
    if (plan.forward_flop) [forward, backward] = [plan.forward_flop, plan.forward_flop * data.backward_ratio.all];
    if (base) [forward, backward] = [base[2], plan.frozen ? base[4] : base[3]];
    const flop = (forward + backward) * examples + forward * (plan.generated_tokens ?? 0);
    const isCounted = Boolean(base) && base[5] === undefined;
    const isSixND = !isCounted && plan.unit === "tokens" && perToken !== null && perToken >= 1e9;
    const half = isCounted || isSixND || plan.forward_flop ? data.uncertainty.stated : data.uncertainty.weak;
    return {flop, half, lean: isSixND ? log(data.uncertainty.beyond_six_nd) : 0};
  };
  const endsOf = (data, {flop, half, lean}) => [
    flop,
    ...[-1, 1].map((side) => flop * exp(lean + side * half * data.reach.count)),
  ];

  // The chip's precision, its peak, and the error of the peak if we assume the precision.
  const peakOf = (data, plan) => {
    const chip = data.chips[plan.hardware];
    if (!chip) refuse(`'${plan.hardware}' is not a chip in the list: choose another.`);
    const assumed = chip.only_precision ?? chip.fast_16bit_precision ?? "fp32", precision = plan.precision ?? assumed;
    const peak = chip.peaks[precision];
    if (!peak) refuse(`This chip has no ${precision} peak; it has ${Object.keys(chip.peaks).join(", ")}.`);
    if (chip.released && Number(chip.released.slice(0, 4)) > plan.year) {
      refuse(`${chip.name} was released on ${chip.released}, after this year.`);
    }
    const isInferred = !plan.precision && !chip.only_precision && Boolean(chip.fast_16bit_precision);
    return {chip, precision, peak, error: isInferred ? data.spread.precision_best_sixteen_bit : 0};
  };

  // The utilization to expect, how far it may be below and above in ln, and the half-widths of the compute that follows
  // from it. A stated utilization has only the error of the peak, but comes from a count, which has its error.
  const utilizationOf = (data, plan, error) => {
    const {uncertainty, reach, utilization} = data, half = reach.normal / reach.gpu_time * error;
    const isText = plan.unit === "tokens";
    if (plan.utilization !== null) {
      const [side, ofCount] = [half * reach.gpu_time, both(uncertainty.stated * reach.count / reach.gpu_time, half)];
      return {rule: "stated", share: plan.utilization, down: side, up: side, halves: [ofCount, ofCount]};
    }
    const halves = [max(uncertainty.gpu_time_down, half), max(uncertainty.gpu_time_up, half)];
    const [down, up] = halves.map((each) => each * reach.gpu_time);
    const share = isText ? utilization.text : utilization.other * uncertainty.whole_run;
    return {rule: isText ? "default" : "whole_runs", share, down, up, halves};
  };

  // The price of a chip on the day when training begins, in ln US dollars: its prices carried to that day by the usual
  // decline, those of nearby days counting more. Null if the chip was not on sale.
  const priceOf = (data, prices, kind, day) => {
    if (!prices) return null;
    const {cost} = data, carried = prices.map(([date, usd]) => {
      const years = (day - date) / 365.25;
      return {years, weight: exp(-Math.abs(years)), price: log(usd) - cost[`${kind}_decline`] * years};
    });
    const sum = (of) => carried.reduce((total, row) => total + fine(of(row)), 0);
    const weights = sum((row) => row.weight), middle = sum((row) => row.weight * row.price) / weights;
    const variance = max(0, sum((row) => row.weight * row.price ** 2) / weights - middle ** 2);
    const nearest = min(...carried.map((row) => Math.abs(row.years)));
    const error = sqrt(
      (cost[`${kind}_log_sd`] ** 2 + weights * variance) / (1 + weights) + (cost.log_sd_per_year * nearest) ** 2,
    );
    const isKnown = min(...carried.map((row) => -row.years)) * 365.25 <= cost.days_before_first_price;
    return isKnown ? {usd: exp(middle), error} : null;
  };

  // Energy, cost and CO2 of chips that run for some days, each as [middle, low, high], or null if unknown.
  const footprintOf = (data, plan, chip, chips, days) => {
    const {cost} = data, hours = 24 * chips * days;
    const spread = (middle, error) => [0, -1, 1].map((side) => middle * exp(side * data.reach.normal * error));
    const [load, loadError] = data.chip_load[plan.hardware] ?? data.chip_load[chip.generation] ?? data.chip_load.gpu;
    const [overhead, overheadError] = data.facility_overhead[chip.manufacturer] ?? data.facility_overhead.other;
    const energy = chip.power_watts ? fine(hours * chip.power_watts * load * overhead / 1000) : null;
    const energyError = both(loadError, overheadError);
    const began = Date.UTC(plan.year, 6, 2) / 1000 / DAY - round(cost.days_before_publication + days);
    const year = String(new Date(1000 * DAY * began).getUTCFullYear());
    const known = Object.keys(data.electricity_price).sort();
    const kilowattHour = data.electricity_price[known.findLast((each) => each <= year)];
    const bought = priceOf(data, chip.purchase, "purchase", began), rented = priceOf(data, chip.rent, "rent", began);
    let usd = null, basis = chip.purchase || chip.rent ? "before_first_price" : "never_priced";
    if (bought && energy !== null && kilowattHour !== undefined) {
      const electricity = energy * kilowattHour;
      const server = hours * bought.usd * cost.amortized_per_year / 8766 / (1 - cost.network_fraction);
      const serverError = server * both(bought.error, cost.amortized_log_sd);
      const electricityError = electricity * both(energyError, cost.electricity_log_sd);
      const error = (serverError + electricityError) / (server + electricity);
      [usd, basis] = [spread(fine(server + electricity), error), "amortized"];
    } else if (rented) [usd, basis] = [spread(fine(hours * rented.usd), rented.error), "cloud_rent"];
    else if (bought) basis = "no_power";
    const place = plan.trained_in ?? "World";
    const error = both(energyError, data.grid_spread[plan.trained_in ? "stated" : "world"]);
    return {
      energy_kwh: energy === null ? null : spread(energy, energyError),
      cost_usd: usd,
      co2_kg: energy === null ? null : spread(fine(energy * data.grids[place] / 1000), error),
      basis,
    };
  };

  // Probability that a total is above a threshold: errors of counts have a two-sided Lomax distribution with exponent
  // 2, those of GPU times a logistic one.
  const probabilityOf = (threshold, {flop, up, down, lean = 0, isTime = false}, most) => {
    const distance = log(threshold) - log(flop) - lean, far = Math.abs(distance);
    const beyond = (half) => isTime ? 1 / (1 + exp(far / half)) : 0.5 * (1 + far / half) ** -2;
    const probability = most <= threshold ? 0 : distance >= 0 ? beyond(up) : 1 - beyond(down);
    return max(1e-6, min(1 - 1e-6, probability));
  };

  // Put the figures that follow from others into the plan: data or days from the time of a step, tokens from those
  // that are generated.
  const completed = (given) => {
    const plan = {...given, data: given.tokens ?? given.images ?? null, unit: given.images ? "images" : "tokens"};
    if (plan.tokens && plan.images) refuse("State tokens or images, not both.");
    if (plan.images && !plan.forward_flop) {
      refuse(
        "For images, state the FLOP of a forward pass of one image; for a network, flopledger estimate --config" +
        " counts them.",
      );
    }
    if (plan.base_model && (plan.parameters || plan.forward_flop)) {
      refuse("The base model gives the network: leave out parameters and FLOP, or the base model.");
    }
    if (plan.parameters && plan.forward_flop) refuse("State the parameters or the FLOP of a forward pass, not both.");
    if (plan.active_parameters && !plan.parameters) {
      refuse("Active parameters are some of the parameters: state these too.");
    }
    if (plan.active_parameters > plan.parameters) refuse("Active parameters cannot be more than all parameters.");
    if (plan.frozen && !plan.base_model && !plan.parameters) {
      refuse("Frozen weights were trained before: choose the base model, or state its parameters.");
    }
    if (!plan.step_time !== !plan.batch) refuse("The time of a step needs the batch that it sees, and the reverse.");
    if (plan.step_time) {
      if (plan.data && plan.days) {
        refuse("Days follow from the time of a step and the data: leave out one of the three.");
      }
      const perDay = plan.batch / plan.step_time * DAY;
      plan.isOneDay = !plan.data && !plan.days;
      plan.days ??= plan.data ? plan.data / perDay : 1;
      plan.data ??= perDay * plan.days;
    }
    if (plan.generated_tokens && plan.unit !== "tokens") refuse("Generated tokens need a language model.");
    if (plan.generated_tokens) plan.data ??= plan.generated_tokens;
    return plan;
  };

  // The figure that a plan leaves out, [middle, low, high], with the utilization and the footprint: the operations that
  // it needs, `work`, against those that its chips do. Squares of the logarithms of independent errors are added.
  const forecast = (data, plan, name, work, {chip, peak, error}) => {
    const use = utilizationOf(data, plan, error), isOfChips = name === "chips" || name === "days";
    const workDown = work.half * data.reach.count - work.lean, workUp = work.half * data.reach.count + work.lean;
    const speed = peak * use.share * DAY, amounts = {chips: plan.chips ?? 1, days: plan.days ?? 1};
    const solved = isOfChips
      ? work.flop / (speed * amounts.chips * amounts.days)
      : speed * plan.chips * plan.days / work.flop;
    if (isOfChips) amounts[name] = name === "chips" ? max(1, round(solved)) : solved;
    const scale = isOfChips ? solved / amounts[name] : 1;
    const [down, up] = isOfChips
      ? [both(workDown, use.up), both(workUp, use.down)]
      : [both(use.down, workUp), both(use.up, workDown)];
    const spread = (middle, low, high) => [middle, middle * exp(-low), middle * exp(high)];
    const [timeDown, timeUp] = isOfChips ? [down, up] : [0, 0];
    const print = footprintOf(data, plan, chip, amounts.chips, amounts.days);
    const amount = name === "parameters" ? TRIAL_SIZE * solved : solved;
    const scaled = (ends) => ends && spread(
      ends[0] * scale,
      both(timeDown, log(ends[0] / ends[1])),
      both(timeUp, log(ends[2] / ends[0])),
    );
    const done = speed * amounts.chips * amounts.days * scale;
    const ofShare = use.rule === "stated" ? [0, 0] : [use.down, use.up];
    return {
      solved: spread(amount, down, up), utilization: spread(use.share, ...ofShare), utilization_rule: use.rule,
      chip_hours: spread(24 * amounts.chips * amounts.days * scale, timeDown, timeUp),
      ...Object.fromEntries(["energy_kwh", "cost_usd", "co2_kg"].map((each) => [each, scaled(print[each])])),
      cost_basis: print.basis,
      done: {
        flop: done, down: use.halves[0], up: use.halves[1], isTime: true,
        ends: spread(done, ...use.halves.map((half) => half * data.reach.gpu_time)),
      },
    };
  };

  // The share of the chips' peak that a run reaches (MFU), and its footprint.
  const measured = (data, plan, ends, {chip, peak}) => {
    const hours = 24 * plan.chips * plan.days, most = hours * 3600 * peak;
    if (ends[0] > most) {
      refuse(
        `These figures give ${ends[0].toPrecision(3)} FLOP, ${Number((ends[0] / most).toPrecision(3))} times what the` +
        " chips can do in their time: check parameters, data, chips and days.",
      );
    }
    const {basis, ...print} = footprintOf(data, plan, chip, plan.chips, plan.days);
    return {most, mfu: ends.map((end) => end / most), chip_hours: [hours, hours, hours], ...print, cost_basis: basis};
  };

  // The answer to a plan, with amounts as [middle, low, high]: its compute, the figure that it leaves out or its MFU,
  // and its footprint. Figures that are not stated are null; `year` is this year. A plan that cannot be is an Error.
  const planned = (data, given, year = new Date().getFullYear()) => {
    const plan = {...completed(given), year}, {base_model} = plan;
    if (base_model && !data.bases[base_model]) {
      refuse(
        `'${base_model}' is not in the list of base models: choose another, or use flopledger estimate --base-model.`,
      );
    }
    const words = {parameters: "parameters", data: plan.unit, chips: "chips", days: "days"};
    const isSized = plan.parameters || plan.forward_flop || base_model;
    const missing = FIGURES.filter((name) => !(name === "parameters" ? isSized : plan[name]));
    const isOnlyCounted = missing.join() === "chips,days" && plan.utilization === null;
    if (missing.length > 1 && !isOnlyCounted) {
      const [all, lacking] = [FIGURES, missing].map((names) => names.map((name) => words[name]).join(", "));
      refuse(`State three of ${all}, or all four for the utilization; missing are ${lacking}.`);
    }
    if (!missing.length && plan.utilization !== null) {
      refuse("The four figures give the utilization: leave out the utilization or one of them.");
    }
    if (missing[0] === "parameters" && plan.unit !== "tokens") {
      refuse("The size of a network of images does not give its operations: state the FLOP of a forward pass.");
    }
    const name = isOnlyCounted ? null : missing[0] ?? null, machine = isOnlyCounted ? null : peakOf(data, plan);
    const count = counted(data, plan, plan.parameters ?? TRIAL_SIZE, plan.data ?? 1);
    const {done = null, ...forecasts} = name ? forecast(data, plan, name, count, machine) : {};
    const isOfTime = name === "parameters" || name === "data", ends = isOfTime ? done.ends : endsOf(data, count);
    const {most = isOfTime ? 24 * 3600 * plan.chips * plan.days * machine.peak : Infinity, ...reached} =
      name || isOnlyCounted ? {} : measured(data, plan, ends, machine);
    const own = isOfTime ? done : {...count, up: count.half, down: count.half};
    const total = base_model && data.bases[base_model][1];
    const whole = base_model ? total && ends.map((end, place) => end + total[place]) : ends;
    const sides = base_model && whole && {
      flop: whole[0],
      up: log(whole[2] / whole[0]) / data.reach.count,
      down: log(whole[0] / whole[1]) / data.reach.count,
    };
    const shape = base_model ? sides : own;
    const chanceOf = ([word, flop]) => [word, probabilityOf(flop, shape, base_model ? Infinity : most)];
    const probabilities = shape && Object.fromEntries(Object.entries(data.thresholds).map(chanceOf));
    return {
      plan, solved_for: name && words[name], precision: machine?.precision, ...forecasts, ...reached,
      own_training_flop: ends, training_flop: whole, probabilities, share_of_base: total ? own.flop / total[0] : null,
    };
  };
  (globalThis.FLOP ??= {}).planned = planned;
})();
