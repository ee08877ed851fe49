package dev.tidemark.deploy.bench.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Paint;
import java.awt.Rectangle;
import java.io.IOException;
import java.io.OutputStream;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.NumberFormat;
import java.util.List;
import java.util.Locale;

import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.labels.ItemLabelAnchor;
import org.jfree.chart.labels.ItemLabelPosition;
import org.jfree.chart.labels.StandardCategoryItemLabelGenerator;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.category.DefaultCategoryDataset;

/** One bar for each aim, on a logarithmic scale on which the line at 1 is the aim: to the right of it, it is reached. */
final class AimChart {
    private static final int WIDTH = 1000;
    private static final int HEADROOM = 90;
    private static final int BAR = 26;
    private static final int MARGIN = 8;
    private static final float LABELS = 0.5f;
    private static final String TITLE = "How far each aim was reached: 1 is just so, 0.5 half of the way";
    // Not 12, which is written as no size at all, and browsers take another one then.
    private static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 11);
    private static final Color REACHED = new Color(0x2e, 0x7d, 0x32);
    private static final Color MISSED = new Color(0xc6, 0x6a, 0x00);

    private final List<AimResult> aims;

    AimChart(List<AimResult> aims) {
        this.aims = List.copyOf(aims);
    }

    /** Writes the picture as SVG. */
    void write(OutputStream out) throws IOException {
        int height = HEADROOM + BAR * aims.size();
        VectorGraphics2D graphics = new VectorGraphics2D();
        chart().draw(graphics, new Rectangle(WIDTH, height));
        new SVGProcessor()
                .getDocument(graphics.getCommands(), new PageSize(WIDTH, height))
                .writeTo(out);
    }

    private JFreeChart chart() {
        CategoryAxis names = new CategoryAxis();
        names.setTickLabelFont(FONT);
        names.setMaximumCategoryLabelWidthRatio(LABELS);
        CategoryPlot plot = new CategoryPlot(values(), names, shares(), new Bars());
        plot.setOrientation(PlotOrientation.HORIZONTAL);
        plot.setBackgroundPaint(Color.WHITE);
        plot.setRangeGridlinePaint(Color.LIGHT_GRAY);
        plot.addRangeMarker(new ValueMarker(1, Color.BLACK, new BasicStroke(2)));
        JFreeChart chart = new JFreeChart(TITLE, FONT, plot, false);
        chart.setBackgroundPaint(Color.WHITE);
        chart.setPadding(new RectangleInsets(MARGIN, MARGIN, MARGIN, MARGIN));
        return chart;
    }

    private DefaultCategoryDataset values() {
        DefaultCategoryDataset values = new DefaultCategoryDataset();
        aims.forEach(aim -> values.addValue(aim.share(), "share", aim.label()));
        return values;
    }

    private LogAxis shares() {
        double least = aims.stream().mapToDouble(AimResult::share).min().orElse(1);
        double most = aims.stream().mapToDouble(AimResult::share).max().orElse(1);
        LogAxis axis = new LogAxis();
        axis.setBase(2);
        axis.setTickUnit(new NumberTickUnit(1));
        axis.setNumberFormatOverride(format());
        axis.setTickLabelFont(FONT);
        axis.setRange(Math.min(0.5, least / 2), Math.max(2, most * 2));
        return axis;
    }

    private static NumberFormat format() {
        return new DecimalFormat("0.##", DecimalFormatSymbols.getInstance(Locale.ROOT));
    }

    /** Plain bars, each in the colour of what became of its aim and with its share at the end. */
    private final class Bars extends BarRenderer {
        private static final long serialVersionUID = 1;

        Bars() {
            setBarPainter(new StandardBarPainter());
            setShadowVisible(false);
            setDefaultItemLabelsVisible(true);
            setDefaultItemLabelFont(FONT);
            setDefaultPositiveItemLabelPosition(
                    new ItemLabelPosition(ItemLabelAnchor.OUTSIDE3, TextAnchor.CENTER_LEFT));
            setDefaultItemLabelGenerator(new StandardCategoryItemLabelGenerator("{2}", format()));
        }

        @Override
        public Paint getItemPaint(int row, int column) {
            return aims.get(column).isReached() ? REACHED : MISSED;
        }
    }
}
